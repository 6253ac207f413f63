export interface Output extends NodeJS.WritableStream {
  isTTY?: boolean;
  columns?: number;
}

/** The running process, as far as a command may touch it. */
export interface ProcessIo {
  argv: string[];
  env: Readonly<Record<string, string | undefined>>;
  stdout: Output;
  stderr: Output;
}

/** What is known of the terminal that the output goes to. */
export interface Terminal {
  columns: number;
  colour: boolean;
}
