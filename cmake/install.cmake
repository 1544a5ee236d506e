# cmake --install, and find_package(stiction) in the programs of others.
# Headers keep their place below one folder: include lines read the same inside and outside this repository.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/stiction)
set(installed_libraries stiction)
set(header_folders stiction)
if(TARGET stiction_scenes)
  list(APPEND installed_libraries stiction_scenes)
  list(APPEND header_folders scenes)
endif()

install(TARGETS ${installed_libraries} EXPORT stiction-targets)
install(DIRECTORY ${header_folders} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/stiction
        FILES_MATCHING PATTERN "*.h")
install(EXPORT stiction-targets NAMESPACE stiction:: DESTINATION ${package_folder})

configure_package_config_file(cmake/stiction-config.cmake.in ${PROJECT_BINARY_DIR}/stiction-config.cmake
                              INSTALL_DESTINATION ${package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/stiction-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/stiction-config.cmake ${PROJECT_BINARY_DIR}/stiction-config-version.cmake
        DESTINATION ${package_folder})

# The viewer's page, where it was built (make viewer).
install(FILES ${PROJECT_SOURCE_DIR}/build/viewer/viewer.html DESTINATION ${CMAKE_INSTALL_DATADIR}/stiction OPTIONAL)
