export { cubeEnvSchema as envSchema } from "../../shared/lambda/read-api/cube-endpoint";
