export interface Output extends NodeJS.WritableStream {
  isTTY?: boolean;
  columns?: number;
}

/** The parts of the process that a command uses. */
export interface ProcessIo {
  argv: string[];
  env: Readonly<Record<string, string | undefined>>;
  stdin: NodeJS.ReadableStream;
  stdout: Output;
  stderr: Output;
}

/** The terminal that the output goes to. */
export interface Terminal {
  columns: number;
  colour: boolean;
}
