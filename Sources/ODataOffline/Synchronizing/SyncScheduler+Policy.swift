extension SyncScheduler {
    /// When a scheduler synchronizes, and what.
    public struct Policy: Sendable {
        /// How long after the last of several changes the queue is sent.
        public var delay = Duration.seconds(2)
        /// How long after the first of them at most.
        public var longestDelay = Duration.seconds(30)
        /// What is done after changes on the device.
        public var workAfterChanges = SyncWork.all
        /// How often everything is synchronized without another reason; nil for never.
        public var interval: Duration? = .seconds(15 * 60)
        /// The delay after the first failure; it doubles with each further one, up to ``longestRetry``. Each delay is
        /// shortened by up to half at random, so that devices do not all return at the same moment.
        public var firstRetry = Duration.seconds(5)
        /// The longest delay after a failure.
        public var longestRetry = Duration.seconds(15 * 60)
        /// The longest time for which the service may ask with `Retry-After`.
        public var longestRetryAfter = Duration.seconds(24 * 60 * 60)
        /// The time between the end of a run and the next one that the app has not requested. It limits the number of
        /// runs where changes are made, or the network returns, again and again.
        public var shortestPause = Duration.seconds(5)
        /// What is done while the network is expensive: ``NetworkCondition/isExpensive``.
        public var workOnExpensiveNetwork: SyncWork = [.upload, .download]
        /// What is done at all; without ``SyncWork/streams``, media are received when they are read, and sent by the
        /// app's own uploads.
        public var work = SyncWork.all

        /// Changes after two seconds, everything every quarter of an hour, and no streams over expensive networks.
        public init() {}
    }
}
