import { upload } from '../../notify/messages.ts'

export function Progress({ percent }: { percent: number }) {
  return (
    <div
      className="progress"
      role="progressbar"
      aria-label={upload.uploading}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <div className="progress-fill" style={{ width: `${percent}%` }} />
    </div>
  )
}
