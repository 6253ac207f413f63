export const DONE = 0;
export const FAILED = 1;
export const WRONG_USAGE = 2;
/** An import that went through, but for some rows. The numbers between are those of `rollcall-clients`. */
export const SOME_REJECTED = 5;

/** What a shell says of a program that a signal has ended; here it is SIGPIPE, which Node does not let end a process. */
export const PIPE_CLOSED = 128 + 13;

export const EXIT_CODES = `
Exit codes:
  0    done
  1    failed; one line on stderr says why
  2    wrong usage
  5    \`import\` is done, and some rows were rejected (also in a dry run)
  128 and the number of the signal that ended it: 130 after Ctrl-C, 143 after SIGTERM, 141 when whoever read its output left`;

/** Ends a command with this code, once everything that there is to say has been said. */
export class EndWith extends Error {
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`exit code ${exitCode}`);
    this.exitCode = exitCode;
  }
}
