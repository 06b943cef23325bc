import { Plus } from 'lucide-react'
import { useOnline } from '../../model/online.ts'

/** In the head of a list: opens the dialog that adds to it. */
export const AddButton = ({ text, onPress }: { text: string; onPress: () => void }) => (
  <button type="button" className="btn btn-primary" disabled={!useOnline()} onClick={onPress}>
    <Plus className="size-4.5" aria-hidden />
    {text}
  </button>
)
