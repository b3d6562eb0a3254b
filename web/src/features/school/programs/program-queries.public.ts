export { programsQuery } from './programs.api.ts';
