export { readYearEndRecords } from './year-end-proposal.service.ts';
