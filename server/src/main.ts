import { join } from 'node:path';
import { loadDemo } from '#seeds/demo.ts';
import { loadCatalogue } from './features/books/books.public.ts';
import { createApp, listJobs } from './app.ts';
import { systemClock } from './clock.ts';
import { readConfig } from './config.ts';
import { prepareDatabase } from './database/database.ts';
import { openDatabase } from './database/open-database.ts';
import type { Services } from './http/pipeline.ts';
import { readPage } from './http/static-files.ts';
import { openQueue } from './jobs/queue.ts';
import { deliverBySmtp, deliverToFolder } from './mail/mail.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);

async function start(): Promise<void> {
  const config = readConfig(process.env);
  say(config.databaseUrl ? 'Connecting to the database …' : `Opening the database in ${config.dataDir} …`);
  const { database, release } = await openDatabase(config, () => say('The database went away; requests wait for it.'));
  await prepareDatabase(database);
  await loadCatalogue(database);
  const services: Services = { config, database, clock: systemClock };
  const from = `${config.productName} <no-reply@${new URL(config.publicUrl).hostname}>`;
  const deliver = config.smtpUrl
    ? deliverBySmtp(config.smtpUrl, from)
    : deliverToFolder(join(config.dataDir, 'outbox'), from);
  const app = await createApp(services, readPage(config));
  const queue = await openQueue(database, listJobs(services, deliver), (error) =>
    app.log.error({ type: error.name }, 'job queue'),
  );
  const logins = config.demo ? await loadDemo(services, say) : [];
  await queue.work();
  await app.listen({ port: config.port, host: '0.0.0.0' });

  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : config.port;
  say(`\n  ${config.productName} is at ${config.publicUrl.replace(/:0$/, `:${port}`)}  (API reference: /v1/docs)`);
  for (const login of logins) say(`  ${login}`);
  say('');

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    say('Stopping: finishing what is in flight …');
    await app.close();
    await queue.stop();
    await database.close();
    await release();
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

start().catch((error: Error) => {
  process.stderr.write(`\n${error.message}\n`);
  process.exit(1);
});
