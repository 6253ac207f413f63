import { expect, test } from 'vitest';
import { ExportSlots } from './export-slots.ts';

test('neither a member can keep their colleagues from exporting, nor an account the others', () => {
  const slots = new ExportSlots({ perMember: 2, perAccount: 3, inAll: 4 });
  const take = (accountId: number, memberId: number) => slots.take({ accountId, memberId });
  const leave = [take(1, 11), take(1, 11)];
  expect(() => take(1, 11)).toThrow('2 of your exports');
  take(1, 12);
  for (const memberId of [12, 13]) expect(() => take(1, memberId)).toThrow('3 exports of your account');
  take(2, 21);
  expect(() => take(3, 31)).toThrow('too many exports are running');
  leave[0]?.();
  leave[0]?.();
  expect(slots.taken).toBe(3);
  take(3, 31);
});
