import { verify } from '@node-rs/argon2';

/*
 * The baseline for logins: verifies one password concurrently for a number of seconds, and prints the verifications per
 * second and the processor time of each in milliseconds. The hash contains the parameters.
 */
const [hash = '', password = '', concurrency = '1', seconds = '1'] = process.argv.slice(2);
const start = performance.now();
const used = process.cpuUsage();
let count = 0;
await Promise.all(
  Array.from({ length: Number(concurrency) }, async () => {
    while (performance.now() - start < Number(seconds) * 1000) {
      if (!(await verify(hash, password))) throw new Error('The password does not match.');
      count += 1;
    }
  }),
);
const { user, system } = process.cpuUsage(used);
process.stdout.write(`${(count * 1000) / (performance.now() - start)} ${(user + system) / 1000 / count}`);
