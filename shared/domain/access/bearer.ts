/** Longer than any token we could have issued; what is longer is not worth hashing. */
const MAX_TOKEN = 512;
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * The token of an `Authorization: Bearer <token>` header, or null when the header is absent or malformed (contract:
 * AUTH_REQUIRED): another scheme, no token, an oversize one, or several, which gateways join by a comma.
 */
export function bearerToken(authorization: string | undefined): string | null {
  const token = authorization && BEARER.exec(authorization.trim())?.[1];
  return token && token.length <= MAX_TOKEN ? token : null;
}
