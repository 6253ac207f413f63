import { addressText } from '../address-text.ts';

/** From where somebody did something, in words, with the exact address behind them. */
export function Address({ value }: { value: string }) {
  const text = addressText(value);
  return text === value ? value : <span title={value}>{text}</span>;
}
