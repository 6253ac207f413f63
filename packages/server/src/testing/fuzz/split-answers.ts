export interface RawAnswer {
  status: number;
  type: string | undefined;
  body: string;
}

const HEAD_END = '\r\n\r\n';

/** The answers in what a connection has returned; the last may be cut off. Throws if something is not an answer. */
export function splitAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = [];
  for (let rest = bytes; rest.length > 0; ) {
    const headLength = rest.indexOf(HEAD_END);
    const head = rest.subarray(0, headLength < 0 ? rest.length : headLength).toString('latin1');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]);
    if (!status) throw new Error(`This is not an answer: ${JSON.stringify(rest.subarray(0, 200).toString('latin1'))}`);
    const start = headLength + HEAD_END.length;
    const end = start + lengthIn(head, status);
    if (headLength < 0 || end > rest.length) break;
    // 100 Continue announces that the body may be sent.
    if (status >= 200)
      answers.push({ status, type: headerIn(head, 'content-type'), body: rest.toString('utf8', start, end) });
    rest = rest.subarray(end);
  }
  return answers;
}

function lengthIn(head: string, status: number): number {
  if (status < 200 || status === 204 || status === 304) return 0;
  const length = headerIn(head, 'content-length');
  if (length === undefined) throw new Error(`An answer without its length: ${head}`);
  return Number(length);
}

function headerIn(head: string, name: string): string | undefined {
  return new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1]?.trim();
}
