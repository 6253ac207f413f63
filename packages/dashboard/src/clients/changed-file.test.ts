import { expect, test } from 'vitest';
import { FileChanged, whileUnchanged } from './changed-file.ts';

const unsent = () => Promise.reject(new Error('No connection.'));

test('a file that could not be sent for another reason is not said to have changed', async () => {
  const file = new File(['email'], 'clients.csv');
  await expect(whileUnchanged(file, unsent)).rejects.toThrow('No connection.');
  expect(await whileUnchanged(file, async () => 'sent')).toBe('sent');
});

test('a file that was saved again or moved after it was chosen is said to have changed', async () => {
  const file = new File(['email'], 'clients.csv');
  const unreadable = { arrayBuffer: () => Promise.reject(new DOMException('', 'NotReadableError')) };
  file.slice = () => Object.assign(new Blob(), unreadable);
  await expect(whileUnchanged(file, unsent)).rejects.toThrow(FileChanged);
});
