export interface LinkedAbort {
  controller: AbortController;
  /** Lets go of the caller's signal, which may outlive many calls. */
  release(): void;
}

/** A controller of our own that also follows the caller's signal. */
export function linkAbort(signal: AbortSignal | undefined): LinkedAbort {
  const controller = new AbortController();
  const follow = () => controller.abort(signal?.reason);
  if (signal?.aborted) follow();
  signal?.addEventListener('abort', follow);
  return { controller, release: () => signal?.removeEventListener('abort', follow) };
}
