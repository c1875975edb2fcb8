export { readEnvSchema as envSchema } from "../../shared/lambda/read-api/endpoint";
