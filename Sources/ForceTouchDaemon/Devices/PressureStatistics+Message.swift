import ForceTouchDevices
import ForceTouchProtocol

extension MonitorMessage.PressureStatistics {
  /// What was gathered of a device, as the wire has it.
  init(_ statistics: PressureStatistics) {
    self.init(
      samples: statistics.sampleCount, contacts: statistics.contactCount,
      minimum: statistics.observed?.lowerBound, maximum: statistics.observed?.upperBound,
      outside: statistics.outsideCount, distinct: statistics.distinctCount,
      majorCorrelation: statistics.majorCorrelation,
      minorCorrelation: statistics.minorCorrelation, equal: statistics.equalShare,
      stuck: statistics.stuckShare, longestStuck: statistics.longestStuckRun,
      wraps: statistics.wrapCount, proven: statistics.evidence?.reason)
  }
}
