export { listPeriodsOfSchool } from './retention.queries.ts';
export { canEraseByClock, carryOutRetention } from './retention.service.ts';
