export { describeClassReading } from './class-reading.service.ts';
export { getReadingClass } from './reading-needs.access.ts';
