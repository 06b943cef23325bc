// oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role -- where CSS lays a table out
// otherwise, browsers drop its implicit roles, so they are explicit.

/** The header of a table of the API documentation. */
export const ColumnHeads = ({ names }: { names: readonly string[] }) => (
  <thead role="rowgroup">
    <tr role="row">
      {names.map((name) => (
        <th key={name} role="columnheader" scope="col">
          {name}
        </th>
      ))}
    </tr>
  </thead>
)
