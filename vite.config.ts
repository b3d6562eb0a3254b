import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { breakpoints } from './web/build/breakpoints.ts';
import { BROWSERS } from './web/build/browsers.ts';
import { classNames } from './web/build/class-names.ts';
import { guestScript } from './web/build/guest-script.ts';
import { helpTexts } from './web/build/help-texts.ts';
import { inlineScript } from './web/build/inline-script.ts';
import { moduleIds } from './web/build/module-ids.ts';
import { precompress } from './web/build/precompress.ts';
import { stripContractSchemas } from './web/build/strip-contract-schemas.ts';
import { thirdPartyNotices } from './web/build/third-party-notices.ts';
import { guestPaths } from './web/src/guest-paths.ts';
import { versionFile } from './web/build/version-file.ts';

/** `npm run dev` sets the port of the server. */
const SERVER = `http://localhost:${process.env.PORT ?? '8080'}`;

/** For both builds. Of the 6,290 icons that one module re-exports, only the used ones are parsed, which halves the build time. */
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
    react(),
    moduleIds(),
    classNames(),
    inlineScript(),
    guestScript(),
    versionFile(),
    thirdPartyNotices(),
    precompress(),
  ],
  builder: {},
  // pdf.js starts its worker as a module.
  worker: { format: 'es' },
  environments: {
    client: {
      build: {
        outDir: '../dist/web',
        target: BROWSERS,
        // The largest chunk is pdf.js, which only the preview of a book loads.
        chunkSizeWarningLimit: 550,
        emptyOutDir: true,
        sourcemap: false,
        // Lists the files of each screen, for the server.
        manifest: true,
        // The content security policy blocks pictures inlined as data URLs.
        assetsInlineLimit: 0,
        // One style sheet: a page would wait for further ones before it is shown.
        cssCodeSplit: false,
        rolldownOptions: {
          ...BUNDLING,
          output: {
            codeSplitting: {
              // A call's address and the schemas of its form are in one file of the contract, but in separate chunks.
              includeDependenciesRecursively: false,
              groups: [
                // These change seldom, so they stay cached after an update of the portal.
                {
                  name: 'foundation',
                  test: /\/node_modules\/(react|react-dom|scheduler|react-router|@tanstack\/(react-query|query-core))\//,
                },
                // Code that screens share is one file, because each file costs a round trip on a slow line.
                {
                  name: 'common',
                  test: /\/web\/src\/(ui|shared)\/(?!use-schema-form)|\/node_modules\/@tabler\//,
                  minShareCount: 5,
                },
                // Validation of forms, which few screens need at once.
                {
                  name: 'forms',
                  test: /\/contract\/src\/(fields|call|errors|quote|validation)\.ts$|\/node_modules\/(zod|@mantine\/form)\/|\/shared\/use-schema-form/,
                },
                // The rest of what every page starts with: the table of screens and their first queries. The entry is not
                // among them, because it waits for a screen that imports these.
                { name: 'start', tags: ['$initial'], test: /^(?!.*(\/entry-client|\.html))/ },
              ],
            },
          },
        },
      },
    },
    ssr: {
      // Bundled with its packages, which are not installed in production.
      resolve: { noExternal: true },
      // Otherwise the packages read NODE_ENV at runtime and use their development builds where it is not set.
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
