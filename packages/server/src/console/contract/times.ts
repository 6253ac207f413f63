// Times are parsed by one function, on the server and in the browser.
export { isTime, parseTime } from '../../domain/time.ts';
