/** What is wrong with a certificate, or with a port that does not speak TLS, stays wrong until somebody corrects it. */
const UNTRUSTED =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|ERR_SSL_WRONG_VERSION_|ERR_SSL_PACKET_LENGTH_)/;

/** What a failed `fetch` died of, in as few words as there are. */
export function describeFailure(error: unknown): string {
  const root = innermost(error);
  return root instanceof Error ? root.message || codeOf(root) || root.name : String(root);
}

/** Whether the other side cannot be trusted, which asking again does not cure. Only Node, Deno and Bun tell. */
export function isUntrusted(error: unknown): boolean {
  return UNTRUSTED.test(codeOf(innermost(error)));
}

/** Most platforms say only "fetch failed" and keep what went wrong in the cause. */
function innermost(error: unknown): unknown {
  return error instanceof Error && error.cause instanceof Error ? innermost(error.cause) : error;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
