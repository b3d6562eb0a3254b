export { linkedAccountsQuery } from './second-factor.api.ts';
