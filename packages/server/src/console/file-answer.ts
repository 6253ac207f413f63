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

/** Throws the reason of the signal when the caller has left in the meantime, after closing the file. */
export async function fileAnswer(
  { name, type, content, close }: FileContent,
  timeouts: FileTimeouts,
  signal: AbortSignal,
): Promise<StreamAnswer> {
  if (signal.aborted) {
    await close();
    throw signal.reason;
  }
  return {
    status: 200,
    headers: ['Content-Type', type, 'Content-Disposition', `attachment; filename="${name}"`],
    stream: fileStream(content, timeouts),
    close,
  };
}
