import { PRODUCT_NAME } from '../shared/product.ts';
import { PlainPage } from './PlainPage.tsx';

/** What the server answers while it cannot reach its database. It needs no script: the browser asks again by itself. */
export function UnavailablePage({ address }: { address: string }) {
  const title = 'The portal cannot be reached at the moment';
  return (
    <PlainPage>
      <title>{`${title} – ${PRODUCT_NAME}`}</title>
      <h1>{title}</h1>
      <p>What you saved is safe. This page tries again every ten seconds.</p>
      <p>
        <a href={address}>Try again now</a>
      </p>
    </PlainPage>
  );
}
