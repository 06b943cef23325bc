/** The content of a toast: a title, and below it a text. */
export const toastLines = (title: string, text: string | undefined) => (
  <>
    <span className="block">{title}</span>
    {text !== undefined && <span className="block font-normal">{text}</span>}
  </>
)
