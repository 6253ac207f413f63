export const SUCCESS = 0;
export const FAILED = 1;
export const WRONG_USAGE = 2;
/** An import that was completed, but rejected some rows. `rollcall-clients` uses 3, 4 and 6. */
export const SOME_REJECTED = 5;

/** What a shell reports for a program that was ended by SIGPIPE, which Node ignores. */
export const PIPE_CLOSED = 128 + 13;

export const EXIT_CODES = `
Exit codes:
  0    success
  1    failure; one line on stderr gives the reason
  2    wrong usage
  5    \`import\` was completed, but rejected some rows (also in a dry run)
  130  stopped by Ctrl-C
  141  the program that read the output has closed it
  143  stopped by SIGTERM (128 plus the number of the signal; other signals likewise)`;

/** Ends a command with this exit code, after it has printed everything. */
export class ExitWithCode extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}
