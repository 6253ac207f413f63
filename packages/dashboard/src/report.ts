import { notifications } from '@mantine/notifications';
import { ApiError } from './api.ts';

/** For what is done by one press, without a form to put an error beside: says what went wrong in a corner. */
export async function report(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    notifications.show({ color: 'red', title: 'That did not work', message: error.message });
  }
}
