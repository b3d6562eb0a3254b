import { expect, it } from 'vitest';
import { classNames, shortClassName } from './class-names.ts';

it('classes of the same name have different short names in different modules', () => {
  const card = shortClassName('title', 'ui/Card.module.css');
  expect(card).toMatch(/^[A-Z][\w-]{3}$/);
  expect(shortClassName('title', 'ui/Card.module.css')).toBe(card);
  expect(shortClassName('title', 'ui/Panel.module.css')).not.toBe(card);
});

it('a build fails when two classes have the same short name', () => {
  const { config } = classNames() as unknown as { config: () => { css: { modules: Naming } } };
  const { generateScopedName } = config().css.modules;
  const nameMany = () => {
    for (let index = 0; index < 100_000; index++) generateScopedName(`class${index}`, 'Card.module.css');
  };
  expect(nameMany).toThrow(/Rename the class class\d+ of .*Card\.module\.css/);
});

interface Naming {
  generateScopedName: (name: string, file: string) => string;
}
