/** What is wrong with a field, below it. @param id in the field's aria-describedby, where nothing around it has one */
export const FieldProblem = ({ id, text }: { id?: string; text: string }) => (
  <p id={id} role="alert" className="text-meta text-danger-text">
    {text}
  </p>
)
