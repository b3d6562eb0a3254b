import { verify } from '@node-rs/argon2';

/*
 * The limit of logins: verifications of one password, so many at once, for so many seconds; prints how many a second
 * and how many milliseconds of processor time each took.
 * The parameters stand in the hash.
 */
const [hash = '', password = '', atOnce = '1', seconds = '1'] = process.argv.slice(2);
const start = performance.now();
const used = process.cpuUsage();
let count = 0;
await Promise.all(
  Array.from({ length: Number(atOnce) }, async () => {
    while (performance.now() - start < Number(seconds) * 1000) {
      if (!(await verify(hash, password))) throw new Error('The password does not match.');
      count += 1;
    }
  }),
);
const { user, system } = process.cpuUsage(used);
process.stdout.write(`${(count * 1000) / (performance.now() - start)} ${(user + system) / 1000 / count}`);
