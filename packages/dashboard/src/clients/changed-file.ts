/** A chosen file that somebody has saved again, moved or deleted. Browsers give its bytes to nobody any more. */
export class FileChanged extends Error {
  constructor() {
    super('The file has changed since you chose it. Choose it again.');
    this.name = 'FileChanged';
  }
}

/**
 * Reads or sends a chosen file. If that fails because the file has changed, the error says so: a browser says only that nothing was
 * sent, as it does without a connection, and trying again would never help.
 */
export async function whileUnchanged<T>(file: File, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw (await canBeRead(file)) ? error : new FileChanged();
  }
}

/** A browser compares the file with what was chosen whenever some of it is read. */
async function canBeRead(file: File): Promise<boolean> {
  try {
    await file.slice(0, 1).arrayBuffer();
    return true;
  } catch {
    return false;
  }
}
