import { GuestQueueCard } from '../features/upload/guest/guest-queue-card.tsx'
import { UploadedActions, UploadedImages } from '../pages/uploaded-images.tsx'

/** A guest's batch on the pages beside the landing, with what can be done with its images. */
export const GuestQueueElsewhere = () => (
  <GuestQueueCard>
    {(images, isRow) =>
      isRow ? (
        images.map((image) => <UploadedActions key={image.id} uploaded={image} />)
      ) : (
        <UploadedImages images={images} />
      )
    }
  </GuestQueueCard>
)
