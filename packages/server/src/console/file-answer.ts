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

export function fileAnswer({ name, type, content, close }: FileContent, timeouts: FileTimeouts): StreamAnswer {
  return {
    status: 200,
    headers: ['Content-Type', type, 'Content-Disposition', `attachment; filename="${name}"`],
    stream: fileStream(content, timeouts),
    close,
  };
}
