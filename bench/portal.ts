/* The portal as `npm start` runs it, under a name of its own among the machine's processes. */
import '../server/src/main.ts';
