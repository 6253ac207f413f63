import { notifications } from '@mantine/notifications';
import { ApiError } from './api.ts';

/** Shows a notification when a change fails that was made with one click, without a form that could show the error. */
export async function notifyOnError(change: Promise<unknown>): Promise<void> {
  try {
    await change;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    notifications.show({ color: 'red', title: 'Something went wrong', message: error.message });
  }
}
