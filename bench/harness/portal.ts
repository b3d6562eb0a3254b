/* The portal as `npm start` runs it, with a recognisable name among the machine's processes. */
import '../../server/src/main.ts';
