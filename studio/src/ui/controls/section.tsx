import type { ComponentChildren } from 'preact';

/** A section of a panel: title, help and controls. */
export const Section = (props: { title: string; help?: ComponentChildren; children?: ComponentChildren }) => (
  <section>
    <h2>{props.title}</h2>
    {props.help && <p class="help">{props.help}</p>}
    {props.children}
  </section>
);

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

/** A small table of numbers: a name and its values per row. */
export const Figures = (props: {
  caption: string;
  /** Header of the rows, for screen readers. */
  of: string;
  columns: readonly string[];
  rows: readonly (readonly [name: string, ...values: string[]])[];
}) => (
  <table class="figures">
    <caption class="help">{props.caption}</caption>
    <thead>
      <tr>
        <th scope="col">
          <span class="visually-hidden">{props.of}</span>
        </th>
        {props.columns.map((title) => (
          <th key={title} scope="col">
            {title}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {props.rows.map(([name, ...values]) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          {values.map((value, column) => (
            <td key={column}>{value}</td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);
