export interface LinkedAbort {
  controller: AbortController;
  /** Removes the listener from the caller's signal, which may outlive many calls. */
  release(): void;
}

/** Creates a controller that is also aborted by the caller's signal. */
export function linkAbort(signal: AbortSignal | undefined): LinkedAbort {
  const controller = new AbortController();
  const follow = () => controller.abort(signal?.reason);
  if (signal?.aborted) follow();
  signal?.addEventListener('abort', follow);
  return { controller, release: () => signal?.removeEventListener('abort', follow) };
}
