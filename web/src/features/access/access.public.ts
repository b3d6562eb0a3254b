export { meQuery } from './access.api.ts';
