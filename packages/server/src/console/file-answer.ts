import type { StreamAnswer } from '../http/answer.ts';
import { type FileTimeouts, fileStream } from './file-stream.ts';

/** A file for the caller to save. */
export interface FileContent {
  name: string;
  type: string;
  content: AsyncIterable<string>;
  /** Called however the answer ends, even if none of the content was read. */
  close(): Promise<void>;
}

/** A header has no other letters than those of ASCII, so any other name is given in a second way as well (RFC 6266). */
function disposition(name: string): string {
  const plain = name.replace(/[^\w .()-]/g, '_');
  if (plain === name) return `attachment; filename="${name}"`;
  const encoded = encodeURIComponent(name.toWellFormed()).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

export function fileAnswer({ name, type, content, close }: FileContent, timeouts: FileTimeouts): StreamAnswer {
  return {
    status: 200,
    headers: ['Content-Type', type, 'Content-Disposition', disposition(name)],
    stream: fileStream(content, timeouts),
    close,
  };
}
