export { listPeriodsOfSchool, listRemovalsOfSchool } from './retention.queries.ts';
export { canEraseByClock, carryOutRetention, getLastNight } from './retention.service.ts';
