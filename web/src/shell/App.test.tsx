// @vitest-environment happy-dom
import { useState } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { expect, it, onTestFinished } from 'vitest';
import { recordEarlyInput } from '../shared/early-input.ts';
import { App } from './App.tsx';
import { createQueryClient } from './query-client.ts';

/** Two fields in one state, of which each change keeps the other as it was in the last render. */
function Person() {
  const [person, setPerson] = useState({ email: '', name: '' });
  return (
    <>
      <input
        aria-label="Email"
        value={person.email}
        onChange={(event) => setPerson({ ...person, email: event.currentTarget.value })}
      />
      <input
        aria-label="Name"
        value={person.name}
        onChange={(event) => setPerson({ ...person, name: event.currentTarget.value })}
      />
      <output>{`${person.email}, ${person.name}`}</output>
    </>
  );
}

it('fields that are filled in before hydration all keep their text', async () => {
  const page = (
    <App client={createQueryClient()}>
      <Person />
    </App>
  );
  const container = document.createElement('div');
  container.innerHTML = renderToString(page);
  document.body.append(container);
  recordEarlyInput();
  for (const [label, text] of Object.entries({ Email: 'tomas@hazel.example', Name: 'Tomás' })) {
    const field = container.querySelector<HTMLInputElement>(`[aria-label="${label}"]`)!;
    field.value = text;
    field.dispatchEvent(new Event('input', { bubbles: true }));
  }
  const root = hydrateRoot(container, page);
  onTestFinished(() => {
    root.unmount();
    container.remove();
  });
  await expect.poll(() => container.querySelector('output')?.textContent).toBe('tomas@hazel.example, Tomás');
});
