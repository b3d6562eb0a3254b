import { PRODUCT_NAME } from '../shared/product.ts';
import { PlainPage } from './PlainPage.tsx';

/** Shown while the server cannot reach its database. It works without scripts: the browser reloads it. */
export function UnavailablePage({ address }: { address: string }) {
  const title = 'The portal is not available at the moment';
  return (
    <PlainPage>
      <title>{`${title} – ${PRODUCT_NAME}`}</title>
      <h1>{title}</h1>
      <p>Everything you saved is safe. This page tries again every 10 seconds.</p>
      <p>
        <a href={address}>Try again now</a>
      </p>
    </PlainPage>
  );
}
