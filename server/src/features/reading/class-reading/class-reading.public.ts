export { describeClassReading } from './class-reading.service.ts';
