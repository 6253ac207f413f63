import { notifications } from '@mantine/notifications';

const KEY = 'rollcall-message';

/** Shows a message on the page that is loaded next in this tab. */
export function tellAfterLoading(message: string): void {
  sessionStorage.setItem(KEY, message);
}

export function showMessageFromBefore(): void {
  const message = sessionStorage.getItem(KEY);
  if (message === null) return;
  sessionStorage.removeItem(KEY);
  notifications.show({ message, autoClose: 10_000 });
}
