import { prepareData } from './server.ts';

/** Once for all journeys; what it returns runs after the last. */
export default prepareData;
