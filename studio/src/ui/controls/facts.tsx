import type { ComponentChildren } from 'preact';

/** Name and value, one pair per row. */
export const Facts = ({ rows }: { rows: readonly (readonly [name: string, value: ComponentChildren])[] }) => (
  <dl class="facts">
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);
