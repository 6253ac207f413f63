// Times are parsed by one function, on the server and in the browser.
export { isTime, parseDay, parseTime } from '../../domain/time.ts';
