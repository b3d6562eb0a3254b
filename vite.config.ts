import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { breakpoints } from './web/build/breakpoints.ts';
import { BROWSERS } from './web/build/browsers.ts';
import { guestScript } from './web/build/guest-script.ts';
import { guestStyles } from './web/build/guest-styles.ts';
import { helpTexts } from './web/build/help-texts.ts';
import { inlineScript } from './web/build/inline-script.ts';
import { mantineId } from './web/build/mantine-id.ts';
import { moduleIds } from './web/build/module-ids.ts';
import { precompress } from './web/build/precompress.ts';
import { stripContractSchemas } from './web/build/strip-contract-schemas.ts';
import { thirdPartyNotices } from './web/build/third-party-notices.ts';
import { themeSheet } from './web/build/theme-sheet.ts';
import { guestPaths } from './web/src/guest-paths.ts';
import { versionFile } from './web/build/version-file.ts';

/** `npm run dev` sets the port of the server. */
const SERVER = `http://localhost:${process.env.PORT ?? '8080'}`;

/** For both builds. Of the 6,290 icons that one module exports again, those are read that are used: it halves their time. */
const BUNDLING = {
  experimental: { lazyBarrel: true },
  checks: { largeBarrelModules: false, bundlerTimings: false },
};

/** Builds the web app twice: for browsers into dist/web, and for the server, which renders pages with it, into dist/web-server. */
export default defineConfig({
  root: 'web',
  plugins: [
    stripContractSchemas(),
    helpTexts(),
    breakpoints(),
    mantineId(),
    themeSheet(),
    react(),
    moduleIds(),
    inlineScript(),
    guestScript(),
    guestStyles(),
    versionFile(),
    thirdPartyNotices(),
    precompress(),
  ],
  builder: {},
  environments: {
    client: {
      build: {
        outDir: '../dist/web',
        target: BROWSERS,
        // The largest is pdf.js, which only the preview of a book loads.
        chunkSizeWarningLimit: 550,
        emptyOutDir: true,
        sourcemap: false,
        // Names the files of each screen, for the server.
        manifest: true,
        // Small pictures inside the scripts would be refused by the page's content security policy.
        assetsInlineLimit: 0,
        // One style sheet: a page whose styles are elsewhere waits for them before it is shown.
        cssCodeSplit: false,
        rolldownOptions: {
          ...BUNDLING,
          output: {
            codeSplitting: {
              // A call's address and the schemas for its form stand in one file of the contract, and are asked for apart.
              includeDependenciesRecursively: false,
              groups: [
                // These change seldom: after an update of the portal a browser still has them.
                {
                  name: 'foundation',
                  test: /\/node_modules\/(react|react-dom|scheduler|react-router|@tanstack\/(react-query|query-core))\//,
                },
                // What screens share comes as one file: on a slow line each costs a round trip of its own.
                {
                  name: 'common',
                  test: /\/web\/src\/(ui|shared)\/(?!use-schema-form)|\/node_modules\/@(mantine\/(core|hooks)|tabler)\//,
                  minShareCount: 5,
                },
                // What checks forms, which few screens begin with.
                {
                  name: 'forms',
                  test: /\/contract\/src\/(fields|call|errors|quote|validation)\.ts$|\/node_modules\/(zod|@mantine\/form)\/|\/shared\/use-schema-form/,
                },
                // The rest of what every page begins with: the table of screens and their first queries.
                // Not the entry, which waits for a screen that needs these.
                { name: 'start', tags: ['$initial'], test: /^(?!.*(\/entry-client|\.html))/ },
              ],
            },
          },
        },
      },
    },
    ssr: {
      // In one with its packages, which a real installation does not have.
      resolve: { noExternal: true },
      // Otherwise the packages ask while the server runs, and draw as for developers where nobody has told it.
      define: { 'process.env.NODE_ENV': JSON.stringify('production') },
      build: {
        outDir: '../dist/web-server',
        emptyOutDir: true,
        copyPublicDir: false,
        rolldownOptions: { input: 'web/src/entry-server.tsx', ...BUNDLING },
      },
    },
  },
  server: {
    proxy: {
      '/v1': SERVER,
      '/content': SERVER,
      // The pages without the app are the server's, from the last build.
      '/assets': SERVER,
      [`^(${guestPaths.map((path) => path.replaceAll(/:\w+/g, '[^/?]+')).join('|')})(\\?|$)`]: SERVER,
      // The page is the web app's, the form is the server's.
      '/logout': { target: SERVER, bypass: ({ method, url }) => (method === 'POST' ? undefined : url) },
    },
  },
});
