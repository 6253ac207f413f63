/** The signals that ask this process to stop. */
export const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** One press of Ctrl-C may arrive twice: from the terminal, and from a parent process that forwards it. */
export const SAME_REQUEST_MS = 1000;
